import { crc32, deflateRawSync } from 'node:zlib';

/** A member of an archive that a test writes. */
export interface WrittenMember {
  readonly name: string | Buffer;
  readonly content: string | Buffer;
  readonly isStored?: boolean;
  /** What the archive says of it, where that is something else. */
  readonly crc?: number;
  readonly bytes?: number;
  readonly method?: number;
  readonly flags?: number;
}

/** Bit 11: the name is UTF-8. */
const UTF8_NAME = 0x800;

/** A zip archive, without what makes archives of other programs longer. */
export function zipOf(members: readonly WrittenMember[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, flags = UTF8_NAME, ...said } of members) {
    const [path, plain] = [Buffer.from(name), Buffer.from(content)];
    const packed = isStored ? plain : deflateRawSync(plain);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(flags, 2);
    head.writeUInt16LE(said.method ?? (isStored ? 0 : 8), 4);
    head.writeUInt32LE(said.crc ?? crc32(plain), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(said.bytes ?? plain.length, 18);
    head.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), head, path, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, tail, path);
    offset += 30 + path.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
