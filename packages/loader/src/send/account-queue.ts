import type { Request } from './request.js';

interface Waiting {
  readonly requests: Request[];
  isBusy: boolean;
}

/** Queue of requests to send. An account's requests are sent in order, one at a time; different accounts are sent in parallel. */
export class AccountQueue {
  private readonly accounts = new Map<string, Waiting>();
  /** Accounts with a request that can be sent now. */
  private readonly ready: string[] = [];
  private count = 0;
  private sum = 0;

  get size(): number {
    return this.count;
  }

  /** Approximate size of the waiting requests. */
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
    // A started account goes first, so that few accounts are half done at any time.
    else this.ready.unshift(account);
  }
}
