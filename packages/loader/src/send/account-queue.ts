import type { Request } from './request.js';

interface Waiting {
  readonly requests: Request[];
  isBusy: boolean;
}

/** Requests that wait to be sent: those of one account in their order, one at a time; those of others beside them. */
export class AccountQueue {
  private readonly accounts = new Map<string, Waiting>();
  /** Accounts of which a request can be sent. */
  private readonly ready: string[] = [];
  private count = 0;
  private sum = 0;

  /** How many requests wait. */
  get size(): number {
    return this.count;
  }

  /** About how many bytes the requests have that wait. */
  get bytes(): number {
    return this.sum;
  }

  push(request: Request): void {
    this.count += 1;
    this.sum += request.bytes;
    const waiting = this.accounts.get(request.account);
    if (waiting) {
      waiting.requests.push(request);
    } else {
      this.accounts.set(request.account, { requests: [request], isBusy: false });
      this.ready.push(request.account);
    }
  }

  /** @returns a request whose account is then busy until {@link release} */
  take(): Request | undefined {
    const account = this.ready.shift();
    const waiting = account === undefined ? undefined : this.accounts.get(account);
    const request = waiting?.requests.shift();
    if (!waiting || !request) return undefined;
    waiting.isBusy = true;
    this.count -= 1;
    this.sum -= request.bytes;
    return request;
  }

  release(account: string): void {
    const waiting = this.accounts.get(account);
    if (!waiting) return;
    waiting.isBusy = false;
    if (waiting.requests.length === 0) this.accounts.delete(account);
    // An account that was begun goes first, so that few are half done at any time.
    else this.ready.unshift(account);
  }
}
