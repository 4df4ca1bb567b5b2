import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the product may be installed, from this file and from its compiled versions. */
const PLACES = ['../..', '../../..', '../../../..'].map((up) => path.resolve(import.meta.dirname, up));

/** The folder of package.json; null where there is none. */
export const PRODUCT_FOLDER: string | null =
  PLACES.find((place) => existsSync(path.join(place, 'package.json'))) ?? null;

const manifest = PRODUCT_FOLDER ? JSON.parse(readFileSync(path.join(PRODUCT_FOLDER, 'package.json'), 'utf8')) : {};

/** The version of the product, as in package.json. */
export const VERSION: string = manifest.version ?? 'unknown';

/** What operators put before the name of an admin command: only a release has a program for it. */
export const ADMIN_CALL: string = manifest.bin ? 'svc-server admin' : 'npm run admin --';
