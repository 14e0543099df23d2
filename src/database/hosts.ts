import type { DatabaseHost, SessionAttributes } from '../config/database-address.js';
import { databaseMessage } from '../common/sql-state.js';

/** What a server says of a session at its start. */
export interface SessionState {
  readonly isStandby: boolean;
  /** Whether transactions are read-only unless they say otherwise. */
  readonly isReadOnly: boolean;
}

/** A server that is used, and what each connection to it must allow. */
export interface Choice {
  readonly host: DatabaseHost;
  readonly attributes: SessionAttributes;
}

/** Connects for a moment. @throws Error with the reason why the choice cannot be made */
export type Probe = (choice: Choice) => Promise<void>;

/** SQLSTATE of a client that cannot make a connection: the request is answered 503. */
const NO_CONNECTION = '08001';

/** So long a server is used that is only the second choice, before the others are tried again. */
const SECOND_CHOICE_MS = 30_000;

/**
 * Which server of an address is used.
 *
 * It stays the same until a connection to it cannot be made or it accepts no changes. Then the servers are tried in their
 * order, beginning with the one after it. Whoever needs a connection meanwhile waits for the same search, so that a standby
 * which is being promoted is asked by one connection of a process at a time.
 *
 * Source: choice O7.
 */
export class Hosts {
  /** Connections of an earlier generation are not used again. */
  generation = 0;
  private choice: Choice | undefined;
  private expiresAtMs = Infinity;
  private lastHost: DatabaseHost | undefined;
  private searching: Promise<Choice> | undefined;

  constructor(
    private readonly all: readonly DatabaseHost[],
    private readonly wanted: SessionAttributes,
    private readonly probe: Probe,
  ) {}

  /** Whether there is nothing to choose and nothing to check: one server, which may be anything. */
  get isGiven(): boolean {
    return this.all.length === 1 && this.wanted === 'any';
  }

  /** The server that is used at present, if that is known. */
  get chosen(): Choice | undefined {
    return performance.now() < this.expiresAtMs ? this.choice : undefined;
  }

  /** @throws Error with SQLSTATE 08001 that names every server and why it cannot be used */
  choose(): Promise<Choice> {
    if (this.chosen) return Promise.resolve(this.chosen);
    this.searching ??= this.search().finally(() => {
      this.searching = undefined;
    });
    return this.searching;
  }

  /** A connection could not be made: look for another server, and keep the connections that there are until one is found. */
  doubt(choice: Choice): void {
    if (this.choice === choice) this.choice = undefined;
  }

  /** A server accepts no changes (any more), so no connection of this generation is of use. */
  abandon(generation: number): void {
    if (generation !== this.generation) return;
    this.generation += 1;
    this.choice = undefined;
  }

  private async search(): Promise<Choice> {
    const attempts = this.wanted === 'prefer-standby' ? (['standby', 'any'] as const) : [this.wanted];
    const reasons = new Map<string, string>();
    for (const [attempt, attributes] of attempts.entries()) {
      for (const host of this.inOrder()) {
        const choice = { host, attributes };
        try {
          await this.probe(choice);
        } catch (error) {
          reasons.set(host.name, databaseMessage(error));
          continue;
        }
        this.expiresAtMs = attempt === 0 ? Infinity : performance.now() + SECOND_CHOICE_MS;
        return this.use(choice);
      }
    }
    const why = [...reasons].map(([name, reason]) => `${name} (${reason})`).join(', ');
    throw Object.assign(new Error(`no host fits target_session_attrs=${this.wanted}: ${why}`), {
      code: NO_CONNECTION,
    });
  }

  /** The one that could not be used comes last: it may be a machine that answers nothing. */
  private inOrder(): readonly DatabaseHost[] {
    const first = this.lastHost === undefined ? 0 : this.all.indexOf(this.lastHost) + 1;
    return [...this.all.slice(first), ...this.all.slice(0, first)];
  }

  private use(choice: Choice): Choice {
    if (this.lastHost !== choice.host) this.generation += 1;
    this.lastHost = choice.host;
    this.choice = choice;
    return choice;
  }
}

/**
 * Why a session is not the one that is wanted, as libpq decides it.
 *
 * @returns nothing when it is
 */
export function misfit(
  { isStandby, isReadOnly }: SessionState,
  wanted: SessionAttributes,
): string | undefined {
  switch (wanted) {
    case 'read-write':
      if (isStandby) return 'it is a standby';
      return isReadOnly ? 'its transactions are read-only' : undefined;
    case 'read-only':
      return isStandby || isReadOnly ? undefined : 'it accepts changes';
    case 'primary':
      return isStandby ? 'it is a standby' : undefined;
    case 'standby':
      return isStandby ? undefined : 'it is not a standby';
    case 'any':
    case 'prefer-standby':
      return undefined;
  }
}
