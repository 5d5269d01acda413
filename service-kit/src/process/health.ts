/** One named component of the readiness of a process. */
export interface HealthComponent {
  /** `detail` describes the fault in a few words. */
  set(isOk: boolean, detail?: string): void;
}

/** State of one component as `/readyz` shows it. */
export interface ComponentState {
  readonly ok: boolean;
  readonly detail: string | null;
}

/**
 * The readiness of a process, by component. A component is not ready until it is set so. Components that are registered
 * as `optional` are shown, but the process is ready without them (it serves degraded).
 */
export class Health {
  readonly #states = new Map<string, ComponentState & { readonly optional: boolean }>();
  readonly #listeners = new Set<(isReady: boolean) => void>();
  #wasReady = false;

  /** Adds a component, not ready at first. */
  register(name: string, options: { readonly optional?: boolean } = {}): HealthComponent {
    const optional = options.optional ?? false;
    const set = (ok: boolean, detail?: string): void => {
      this.#states.set(name, { ok, detail: detail ?? null, optional });
      this.#tell();
    };
    set(false, 'starting');
    return { set };
  }

  /** True when there is at least one component and all that are not optional are ready. */
  isReady(): boolean {
    const states = [...this.#states.values()];
    return states.length > 0 && states.every((state) => state.ok || state.optional);
  }

  /** All components by name. */
  components(): Readonly<Record<string, ComponentState>> {
    return Object.fromEntries([...this.#states].map(([name, { ok, detail }]) => [name, { ok, detail }]));
  }

  /** Calls the listener at once and after each change of readiness. */
  onChange(listener: (isReady: boolean) => void): void {
    this.#listeners.add(listener);
    listener(this.isReady());
  }

  #tell(): void {
    const isReady = this.isReady();
    if (isReady === this.#wasReady) return;
    this.#wasReady = isReady;
    for (const listener of this.#listeners) listener(isReady);
  }
}
