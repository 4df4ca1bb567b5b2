import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** The files of a ZIP in their order; their checksums are verified. Rejects for what is no whole ZIP. */
export function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      const files = new Map<string, Buffer>();
      zip.on('error', reject);
      zip.on('end', () => resolve(files));
      zip.on('entry', (entry: Entry) => {
        contentOf(zip, entry).then((content) => {
          files.set(entry.fileName, content);
          zip.readEntry();
        }, reject);
      });
      zip.readEntry();
    });
  });
}

/** The objects in a file of one object a line. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into every field
export function linesOf(file: Buffer | undefined): any[] {
  const text = String(file);
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
}

function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(error);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('end', () => resolve(Buffer.concat(chunks)));
    });
  });
}
