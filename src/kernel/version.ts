import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where package.json is, from this file and from its compiled version. */
const PLACES = ['../..', '../../..', '../../../..'].map((up) => path.resolve(import.meta.dirname, up, 'package.json'));

/** The version of the product, as in package.json. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const file = PLACES.find((place) => existsSync(place));
  return file ? JSON.parse(readFileSync(file, 'utf8')).version : 'unknown';
}
