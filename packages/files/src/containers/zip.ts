import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { getFileNameLowLevel, openPromise, validateFileName, type Entry, type ZipFile } from 'yauzl';
import { UnreadableInput } from '../common/errors.js';

/** The largest allowed ratio of a member's size to its packed size. Small members may exceed it. */
const RATIO_MAX = 250;
const SMALL_BYTES = 16_777_216;

/** The maximum size of all members of an archive together. */
const TOTAL_BYTES_MAX = 17_179_869_184;

const MEMBERS_MAX = 100_000;

/** One file of an archive. */
export interface Member {
  /** The path in the archive, with slashes. Nothing is ever written to this path. */
  readonly name: string;
  /** The reason why the member is not read, as a sentence without its subject. */
  readonly problem: string | undefined;
  readonly entry: Entry;
}

/** A zip archive. */
export class Archive {
  private constructor(
    private readonly path: string,
    private readonly zip: ZipFile,
    /** The files of the archive, without folders. */
    readonly members: readonly Member[],
  ) {}

  /** @throws UnreadableInput if the file is not a zip archive or is cut off */
  static async open(path: string): Promise<Archive> {
    let zip: ZipFile | undefined;
    try {
      // Names are checked here, so that a name which leads out of the archive is a problem of its member only.
      zip = await openPromise(path, { autoClose: false, decodeStrings: false });
      const members: Member[] = [];
      const names = new Map<string, number>();
      let total = 0;
      for await (const entry of zip.eachEntry()) {
        const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
        const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
        if (name.endsWith('/')) continue;
        if (members.length === MEMBERS_MAX) throw new Error(`it has more than ${MEMBERS_MAX} members`);
        total += entry.uncompressedSize;
        if (total > TOTAL_BYTES_MAX) throw new Error('its members have more than 16 GiB in all');
        names.set(name, (names.get(name) ?? 0) + 1);
        members.push({ name, problem: problemOf(name, entry), entry });
      }
      return new Archive(
        path,
        zip,
        members.map((member) =>
          (names.get(member.name) ?? 0) > 1 ? { ...member, problem: 'the archive has it twice' } : member,
        ),
      );
    } catch (error) {
      zip?.close();
      throw unreadableArchive(path, error);
    }
  }

  /**
   * Read the bytes of a member.
   *
   * @throws UnreadableInput if the member is damaged; this may be noticed only after its last byte
   */
  async *read({ name, problem, entry }: Member): AsyncGenerator<Buffer> {
    if (problem !== undefined)
      throw new UnreadableInput(`${this.labelOf(name)} cannot be unpacked: ${problem}.`);
    let checksum = 0;
    try {
      for await (const chunk of await this.zip.openReadStreamPromise(entry)) {
        checksum = crc32(chunk as Buffer, checksum);
        yield chunk as Buffer;
      }
    } catch (error) {
      const why = (error as Error).message;
      throw new UnreadableInput(`${this.labelOf(name)} cannot be unpacked, it may be damaged: ${why}.`, {
        cause: error,
      });
    }
    if (checksum !== entry.crc32)
      throw new UnreadableInput(`${this.labelOf(name)} is damaged: its checksum is not that of its content.`);
  }

  close(): void {
    this.zip.close();
  }

  private labelOf(name: string): string {
    return `${basename(this.path)}/${name}`;
  }
}

function problemOf(name: string, entry: Entry): string | undefined {
  const { compressedSize, uncompressedSize } = entry;
  if (validateFileName(name) !== null || name.includes('\0') || /(?:^|\/)\.?(?:\/|$)/.test(name))
    return 'its name leads out of the archive';
  if (entry.isEncrypted()) return 'it is encrypted; unpack it with its password, or pack it without one';
  if (!entry.canDecodeFileData()) return 'it is packed by a method that is not read; deflate is';
  if (uncompressedSize > SMALL_BYTES && uncompressedSize > compressedSize * RATIO_MAX)
    return `it unpacks to more than ${RATIO_MAX} times its packed size`;
  return undefined;
}

function unreadableArchive(path: string, error: unknown): UnreadableInput {
  const { message, code } = error as NodeJS.ErrnoException;
  const isClear = code !== undefined || message.startsWith('it');
  const why = isClear ? message : `it is damaged, encrypted or no zip archive: ${message.replace(/\.$/, '')}`;
  return new UnreadableInput(`${basename(path)} cannot be read: ${why}.`, { cause: error });
}
