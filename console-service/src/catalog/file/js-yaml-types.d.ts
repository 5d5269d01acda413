/** Types of the major version of js-yaml that is used here. mocha installs another version with types of its own. */
declare module 'js-yaml' {
  export class YAMLException extends Error {
    readonly reason: string;
    /** Both count from 0. */
    readonly mark: { readonly line: number; readonly column: number };
  }

  export class Type {
    readonly tag: string;
    constructor(
      tag: string,
      options: {
        readonly kind: 'scalar' | 'sequence' | 'mapping';
        readonly resolve: (data: unknown) => boolean;
        readonly construct: (data: string) => unknown;
      },
    );
  }

  export class Schema {
    extend(types: { readonly implicit: readonly Type[] }): Schema;
  }

  export const CORE_SCHEMA: Schema;

  export function load(
    text: string,
    options: {
      readonly schema: Schema;
      /** Deepest nesting of collections. */
      readonly maxDepth: number;
      readonly onWarning: (warning: YAMLException) => void;
    },
  ): unknown;
}
