import { isIPv6 } from 'node:net';

/** An address, maybe with the port behind it, as some proxies write it into X-Forwarded-For. */
const WITH_PORT = /^(?:\[(.*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;
/** An IPv4 address in the clothes of an IPv6 one, as a socket that listens for both reports it. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

const GROUPS = 8;
/** Groups of an IPv6 address that name the network; the others are its user's to choose. */
const NETWORK_GROUPS = 4;

/**
 * Whom to hold to account for a request from an address: an IPv4 address is one subject; of IPv6 a whole /64 network
 * is, because whoever has one address of it has all of them.
 */
export function clientSubject(address: string): string {
  const [, inBrackets, dotted] = WITH_PORT.exec(address) ?? [];
  const bare = inBrackets ?? dotted ?? address;
  if (!isIPv6(bare)) return bare;
  const written = standardForm(bare);
  const [, high, low] = MAPPED.exec(written) ?? [];
  if (high !== undefined && low !== undefined) return [...bytesOf(high), ...bytesOf(low)].join('.');
  const [front = [], back = []] = written.split('::').map((part) => part.split(':').filter(Boolean));
  const gap = Array<string>(GROUPS - front.length - back.length).fill('0');
  return `${[...front, ...gap, ...back].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** In lower case, without leading zeros or dots, the longest run of zeros left out; without the zone. */
function standardForm(address: string): string {
  return new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
}

function bytesOf(group: string): [high: number, low: number] {
  const value = parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
