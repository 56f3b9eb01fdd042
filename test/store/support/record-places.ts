import Database from 'libsql';

export const pageBytes = 4096;
/** A cell begins with the lengths of its parts. */
const mostCellHeaderBytes = 16;
const linkBytes = 4;

/** A record as SQLite reads it from an intact file, and the positions of its bytes. */
export interface PlacedRecord {
  readonly account: string;
  readonly kind: string;
  readonly name: string;
  readonly places: readonly (readonly [from: number, to: number])[];
}

/** Searches the file for the bytes that SQLite reads. Pages end with links to further ones. */
export function placeRecords(path: string, file: Buffer): PlacedRecord[] {
  const database = new Database(path);
  const sql = 'SELECT account, kind, name, CAST(bytes AS BLOB) AS bytes FROM records';
  const rows = database.prepare(sql).all() as {
    readonly account: string;
    readonly kind: string;
    readonly name: string;
    readonly bytes: ArrayBuffer;
  }[];
  database.close();
  return rows.map(({ account, kind, name, bytes }) => {
    const content = Buffer.concat([Buffer.from(account + kind + name), Buffer.from(bytes)]);
    return { account, kind, name, places: placesOf(content, file) };
  });
}

function placesOf(content: Buffer, file: Buffer): [number, number][] {
  const start = content.subarray(0, 60);
  // Where SQLite moved a record from, its first bytes may still be there.
  for (let at = file.indexOf(start); at !== -1; at = file.indexOf(start, at + 1)) {
    const places = placesAt(at, content, file);
    if (places !== undefined) return places;
  }
  throw new Error('a record is not in the file');
}

function placesAt(at: number, content: Buffer, file: Buffer): [number, number][] | undefined {
  const end = Math.min(at + content.length, at + pageBytes - (at % pageBytes));
  let local = 0;
  while (at + local < end && content[local] === file[at + local]) local++;
  const from = at - mostCellHeaderBytes;
  if (local === content.length) return [[from, at + local]];
  // The first bytes of the link may be equal to the next bytes of the content.
  for (let length = local; length >= local - linkBytes; length--) {
    const pages = overflowOf(content.subarray(length), file, at + length);
    if (pages !== undefined) return [[from, at + length + linkBytes], ...pages];
  }
  return undefined;
}

function overflowOf(content: Buffer, file: Buffer, linkAt: number): [number, number][] | undefined {
  const places: [number, number][] = [];
  let link = file.readUInt32BE(linkAt);
  for (let done = 0; done < content.length; done += pageBytes - linkBytes) {
    const start = (link - 1) * pageBytes;
    if (link === 0 || start + pageBytes > file.length) return undefined;
    const part = content.subarray(done, done + pageBytes - linkBytes);
    const from = start + linkBytes;
    if (!file.subarray(from, from + part.length).equals(part)) return undefined;
    places.push([start, from + part.length]);
    link = file.readUInt32BE(start);
  }
  return places;
}
