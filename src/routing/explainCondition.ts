import type { Condition, StoredConditions, Subject } from './conditions.ts';
import { percentEncode } from './urlEncoding.ts';

type Words = {
  [Name in keyof StoredConditions]-?: {
    /** The actual value, as a clause. */
    fact(subject: Subject): string;
    /** The value that the condition requires. */
    wanted(given: NonNullable<StoredConditions[Name]>): string;
  };
};

/** Entries of a list that are spelled out; a list of countries can have 250. */
const MAX_NAMED = 10;

const WORDS: Words = {
  platform: { fact: ({ visitor }) => `platform is ${visitor.platform}`, wanted: either },
  device: { fact: ({ visitor }) => `device is ${visitor.device}`, wanted: either },
  country: { fact: ({ country }) => `country is ${country ?? 'unknown'}`, wanted: either },
  language: { fact: ({ visitor }) => `language is ${visitor.language ?? 'unknown'}`, wanted: either },
  referrer_host: { fact: ({ visitor }) => `referrer_host is ${visitor.referrerHost ?? 'unknown'}`, wanted: either },
  query: {
    fact({ parameters }) {
      const pairs = [...parameters].flatMap(([name, values]) => values.map((value) => pair(name, value)));
      return pairs.length === 0 ? 'query is empty' : `query has ${listed(pairs, 'and')}`;
    },
    wanted: (entries) => either(entries.map(({ name, value }) => pair(name, value))),
  },
  after: { fact: timeOf, wanted: (moment) => `${moment} or later` },
  before: { fact: timeOf, wanted: (moment) => `before ${moment}` },
};

/** Why a condition does not hold: `country is FR, wanted DE or AT.` */
export function whyNotHeld(condition: Condition, subject: Subject): string {
  const { fact, wanted } = wordsOf(condition);
  return `${fact(subject)}, wanted ${wanted(condition.given)}.`;
}

/** Why an exception holds: `country is US, which not.country excludes (US or CA).` */
export function whyExcluded(exception: Condition, subject: Subject): string {
  const { fact, wanted } = wordsOf(exception);
  return `${fact(subject)}, which not.${exception.name} excludes (${wanted(exception.given)}).`;
}

function wordsOf({ name }: Condition) {
  return WORDS[name] as { fact(subject: Subject): string; wanted(given: unknown): string };
}

function either(entries: readonly string[]): string {
  return listed(entries, 'or');
}

function listed(entries: readonly string[], conjunction: 'and' | 'or'): string {
  const more = entries.length - MAX_NAMED;
  const named = more > 0 ? [...entries.slice(0, MAX_NAMED), `${more} more`] : entries;
  const before = named.slice(0, -1).join(', ');
  return [...(before ? [before] : []), named.at(-1)].join(` ${conjunction} `);
}

/** Encodes line breaks and other controls, so that a sentence stays on one line. */
function pair(name: string, value: string | null | undefined): string {
  const text = value === null || value === undefined ? name : `${name}=${value}`;
  return text.replace(/\p{Cc}/gu, percentEncode);
}

function timeOf({ now }: Subject): string {
  return `the time is ${new Date(now).toISOString()}`;
}
