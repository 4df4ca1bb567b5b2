import { randomInt } from 'node:crypto';

/** Without 0 O o, 1 l I: what is read aloud or copied from paper is not mistaken. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
/** 56^7 is 1.7 million million: a new slug meets an old one rarely even among many millions. */
const LENGTH = 7;

/** Seven random characters without look-alikes. Not secret, but not to be guessed in a row either. */
export function generateSlug(): string {
  let slug = '';
  for (let at = 0; at < LENGTH; at++) slug += ALPHABET[randomInt(ALPHABET.length)];
  return slug;
}
