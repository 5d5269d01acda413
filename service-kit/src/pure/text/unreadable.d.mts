/**
 * What is wrong with a text that Node made of bytes that are not UTF-8: `is not UTF-8 at its character 3`, counted from 1.
 * Null: nothing is.
 */
export declare function unreadableFault(text: string): string | null;

/**
 * Which argument of a command line is not UTF-8, and what to do: `2 is not UTF-8 at its character 3. Type …`, both counted
 * from 1. Null: none is.
 */
export declare function unreadableArgument(argv: readonly string[]): string | null;
