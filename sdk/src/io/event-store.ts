import type { QueuedEvent } from '../domain/events.js';

/**
 * Where events wait until the server has answered. A store that outlives the app makes them survive its end. Several apps may
 * share one.
 */
export interface EventStore {
  /** All events, in any order. */
  readonly list: () => Promise<readonly QueuedEvent[]>;
  readonly put: (event: QueuedEvent) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** The members of `localStorage` that the SDK uses. */
export interface WebStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const PREFIX = 'placard.event.';

/** Keeps events in memory. They are lost when the app ends. */
export function memoryStore(): EventStore {
  const events = new Map<string, QueuedEvent>();
  return {
    list: () => Promise.resolve([...events.values()]),
    put: (event) => {
      events.set(event.id, event);
      return Promise.resolve();
    },
    remove: (id) => {
      events.delete(id);
      return Promise.resolve();
    },
  };
}

/**
 * Keeps events in the storage of a browser, one entry each, so that several pages share it. When the storage is full or
 * forbidden, events are kept in memory.
 */
export function webStore(storage: WebStorage): EventStore {
  const rest = memoryStore();
  return {
    list: async () => [...readAll(storage), ...(await rest.list())],
    put: async (event) => {
      try {
        storage.setItem(PREFIX + event.id, JSON.stringify(event));
      } catch {
        await rest.put(event);
      }
    },
    remove: async (id) => {
      storage.removeItem(PREFIX + id);
      await rest.remove(id);
    },
  };
}

function readAll(storage: WebStorage): QueuedEvent[] {
  const events: QueuedEvent[] = [];
  // Backwards, because a removal moves the entries behind it.
  for (let index = storage.length - 1; index >= 0; index -= 1) {
    const key = storage.key(index);
    if (key?.startsWith(PREFIX) !== true) continue;
    try {
      events.push(JSON.parse(storage.getItem(key) ?? '') as QueuedEvent);
    } catch {
      storage.removeItem(key);
    }
  }
  return events;
}

/** The best store of the platform: the storage of a browser, otherwise memory. */
export function detectStore(): EventStore {
  try {
    const { localStorage: storage } = globalThis as { readonly localStorage?: WebStorage };
    return storage === undefined ? memoryStore() : webStore(storage);
  } catch {
    // A page whose cookies are blocked may not even read the member.
    return memoryStore();
  }
}
