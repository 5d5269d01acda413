/** A field of an object, by its name in the file, and what is doubtful about it. */
export type Reason = readonly [field: string, text: string];
