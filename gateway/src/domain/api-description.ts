/** A schema of the document, with the members that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema;
}

/** An example, or a reference to one. */
export interface Example {
  readonly $ref?: string;
  readonly summary?: string;
  readonly value?: unknown;
}

/** A body in a media type. */
export interface Content {
  readonly 'application/json': {
    readonly schema: Schema;
    readonly examples?: Readonly<Record<string, Example>>;
  };
}

/** A request body or an answer, or a reference to one. */
export interface Body {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

/** One endpoint. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestBody: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

/** The parts of the OpenAPI document that the gateway itself uses. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly requestBodies: Readonly<Record<string, Body>>;
    readonly responses: Readonly<Record<string, Body>>;
    readonly examples: Readonly<Record<string, Example>>;
  };
}
