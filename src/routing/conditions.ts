import { languageOf, referrerHostOf, visitorLanguage } from './conditionValues.ts';
import { countryOf } from './countries.ts';
import { interning } from './intern.ts';
import type { Parameters } from './urlEncoding.ts';
import type { Visitor } from './visitor.ts';

/** A rule's conditions as stored; null or an empty list sets no condition. */
export interface StoredConditions {
  platform?: readonly string[] | null;
  device?: readonly string[] | null;
  country?: readonly string[] | null;
  language?: readonly string[] | null;
  referrer_host?: readonly string[] | null;
  query?: readonly { name: string; value?: string | null }[] | null;
  after?: string | null;
  before?: string | null;
}

/** What conditions are evaluated on. */
export interface Subject {
  visitor: Visitor;
  /** Milliseconds since the epoch. */
  now: number;
  /** ISO 3166-1 alpha-2 in capitals. */
  country: string | null;
  parameters: Parameters;
}

export interface Condition {
  name: keyof StoredConditions;
  /** The stored value, for explanations. */
  given: unknown;
  holds(subject: Subject): boolean;
}

type Compilers = {
  [Name in keyof StoredConditions]-?: (given: NonNullable<StoredConditions[Name]>) => Condition['holds'];
};

const COMPILERS: Compilers = {
  platform: (platforms) => (subject) => platforms.includes(subject.visitor.platform),
  device: (devices) => (subject) => devices.includes(subject.visitor.device),
  country(countries) {
    const wanted = countries.map((country) => countryOf(country) ?? country.toUpperCase());
    return (subject) => subject.country !== null && wanted.includes(subject.country);
  },
  language(languages) {
    const wanted = languages.map((language) => languageOf(language) ?? language.toLowerCase());
    const asPrefix = wanted.map((language) => `${language}-`);
    return ({ visitor }) => {
      if (visitor.language === null) return false;
      const language = visitorLanguage(visitor.language);
      return wanted.includes(language) || asPrefix.some((prefix) => language.startsWith(prefix));
    };
  },
  referrer_host(hosts) {
    const wanted = hosts.map((host) => referrerHostOf(host) ?? host.toLowerCase());
    return ({ visitor: { referrerHost } }) => referrerHost !== null && wanted.includes(referrerHost);
  },
  query: (entries) => (subject) =>
    entries.some(({ name, value }) => {
      const values = subject.parameters.get(name);
      return values !== undefined && (value === undefined || value === null || values.includes(value));
    }),
  after(moment) {
    const from = Date.parse(moment);
    return (subject) => subject.now >= from;
  },
  before(moment) {
    const until = Date.parse(moment);
    return (subject) => subject.now < until;
  },
};

const NONE: readonly Condition[] = [];

/** Compiles stored conditions. Equal conditions are shared between links and must not be mutated. */
export function compileConditions(stored: StoredConditions | null | undefined): readonly Condition[] {
  if (!stored) return NONE;
  const conditions = NAMES.flatMap((name) => {
    const given = stored[name];
    if (given === undefined || given === null || given.length === 0) return [];
    return [conditionOf(`${name} ${JSON.stringify(given)}`)];
  });
  return conditions.length === 0 ? NONE : conditions;
}

const NAMES = Object.keys(COMPILERS) as (keyof StoredConditions)[];

const conditionOf = interning<`${keyof StoredConditions} ${string}`, Condition>((key) => {
  const space = key.indexOf(' ');
  const name = key.slice(0, space) as keyof StoredConditions;
  const given = JSON.parse(key.slice(space + 1));
  return { name, given, holds: (COMPILERS[name] as (given: unknown) => Condition['holds'])(given) };
});

/** The first condition that does not hold, or exception that does; null if the rule matches. */
export function failedCondition(
  rule: { conditions: readonly Condition[]; exceptions: readonly Condition[] },
  subject: Subject,
): Condition | null {
  for (const condition of rule.conditions) if (!condition.holds(subject)) return condition;
  for (const exception of rule.exceptions) if (exception.holds(subject)) return exception;
  return null;
}
