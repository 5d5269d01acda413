/**
 * What a file system of an image has and must not have: programs beside Node.js, setuid and setgid files, and files or
 * folders that everybody may write. One line each, sorted by path.
 */
export declare function fatOf(root: string): readonly string[];
