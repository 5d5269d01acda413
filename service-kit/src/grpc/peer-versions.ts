import type { Version } from '@placard/protos/version/v1/version.js';
import { Gauge } from 'prom-client';
import type { HealthComponent } from '../health.js';
import { RELEASE } from '../release.js';
import type { Scope } from '../scope.js';

/** How processes talk to each other. Raised when a release can no longer talk to the one before it. */
export const PROTOCOL = 1;

/** Callers name themselves; what is no name of a process, or one too many, is not counted. */
const NAME = /^[a-z][a-z-]{0,39}$/;
const PEERS_MAX = 32;
const RELEASE_CHARS_MAX = 40;

interface Peer {
  readonly isKnown: boolean;
  /** As the log has named it. */
  readonly told: ReadonlySet<string>;
  /** Only of a peer that was of an unknown version at some time. */
  readonly component: HealthComponent | null;
}

const ofScopes = new WeakMap<Scope, PeerVersions>();

/** The one of a process. */
export function peerVersionsOf(scope: Scope): PeerVersions {
  const known = ofScopes.get(scope);
  if (known !== undefined) return known;
  const made = new PeerVersions(scope);
  ofScopes.set(scope, made);
  return made;
}

/**
 * Judges the versions that a process's peers tell. One of an unknown version is named in the log once, stands in `/readyz`
 * as a component that does not make the process unready, and counts in `placard_rpc_unknown_peers{peer}`: calls may well
 * succeed, and a process that refused to work would turn a warning into an outage.
 */
export class PeerVersions {
  readonly #scope: Scope;
  readonly #peers = new Map<string, Peer>();
  readonly #followed = new Set<string>();
  readonly #gauge: Gauge<'peer'>;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#gauge = new Gauge({
      name: 'placard_rpc_unknown_peers',
      help: 'By peer: 1 when it last told a version that this process does not know, else 0',
      labelNames: ['peer'],
      registers: [scope.metrics],
    });
  }

  /** What this process tells of itself. */
  get own(): Version {
    return { name: this.#scope.name, release: RELEASE, protocol: PROTOCOL };
  }

  /** Whether a peer is followed from now on and was not before. */
  follow(name: string): boolean {
    const isNew = !this.#followed.has(name);
    this.#followed.add(name);
    return isNew;
  }

  /** Takes what a peer has told. Null: it knows no such question, and so is older than any version. */
  hear(name: string, version: Version | null): void {
    const peer = this.#peers.get(name);
    if (!NAME.test(name) || (peer === undefined && this.#peers.size >= PEERS_MAX)) return;
    const isKnown = version?.protocol === PROTOCOL;
    this.#gauge.set({ peer: name }, isKnown ? 0 : 1);
    if (isKnown) {
      if (peer?.isKnown === false) this.#scope.log.info({ peer: name }, 'a peer is of a known version again');
      peer?.component?.set(true);
      this.#peers.set(name, { isKnown, told: peer?.told ?? new Set(), component: peer?.component ?? null });
      return;
    }
    const text = `${name} is of an unknown version: ${describe(version)}; this process is ${describe(this.own)}`;
    const told = peer?.told ?? new Set<string>();
    if (!told.has(text)) this.#scope.log.warn({ peer: name }, text);
    const component =
      peer?.component ?? this.#scope.health.register(`version of ${name}`, { optional: true });
    component.set(false, text);
    this.#peers.set(name, { isKnown, told: new Set([...told, text].slice(-PEERS_MAX)), component });
  }
}

function describe(version: Version | null): string {
  if (version === null) return 'it tells none';
  return `release ${version.release.slice(0, RELEASE_CHARS_MAX)}, protocol ${version.protocol}`;
}
