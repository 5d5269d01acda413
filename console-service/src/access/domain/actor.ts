/** The roles without an owner: they see all of the installation. */
export const GENERAL_ROLES = ['admin', 'adops', 'finance', 'readonly'] as const;

/** The roles of an owner: they read only what belongs to one publisher or one advertiser. */
export const TENANT_ROLES = ['publisher', 'advertiser'] as const;

/** What an actor may do. The `id` of a tenant's role is that of its publisher or advertiser. */
export type Role =
  | { readonly kind: (typeof GENERAL_ROLES)[number] }
  | { readonly kind: (typeof TENANT_ROLES)[number]; readonly id: string };

/** The caller of an operation: an API key, or a person. */
export interface Actor {
  readonly kind: 'key' | 'user';
  /** The id of the key or of the user. It is no secret. */
  readonly id: string;
  /** The name that people gave it. */
  readonly name: string;
  readonly role: Role;
  /**
   * The operating-system user that the `placard` command named. The audit shows it beside the actor. It is not proven and
   * decides nothing. Null or missing: none was named.
   */
  readonly systemUser?: string | null;
}
