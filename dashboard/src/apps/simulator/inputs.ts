import type { VariablesOf } from '../../kernel/graphql.ts';
import { PLATFORMS } from '../installSearch.ts';
import type { SIMULATE } from './useSimulation.ts';

/** What is made up, as the API takes it; fields that are left out are not known. */
export type Inputs = VariablesOf<typeof SIMULATE>['input'];
export type ClickInput = Inputs['click'];
export type OpenInput = Inputs['open'];
export type Screen = NonNullable<OpenInput['screen']>;

/** The server takes no more of them. */
export const MOST_OTHERS = 20;

/** The inputs as short as they can be, for the address: what is empty is left out. */
export function textOf(inputs: Inputs): string {
  return JSON.stringify(inputs, (_, value) => (isEmpty(value) ? undefined : value));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value as object).every(isEmpty);
}

type Fields = Record<string, 'text' | 'number' | 'flag'>;

const CLICK: Fields = {
  userAgent: 'text',
  acceptLanguage: 'text',
  address: 'text',
  secondsBefore: 'number',
  link: 'text',
  timezone: 'text',
};
const OPEN: Fields = {
  platform: 'text',
  appVersion: 'text',
  osVersion: 'text',
  deviceModel: 'text',
  language: 'text',
  timezone: 'text',
  address: 'text',
  consent: 'flag',
};
const SCREEN: Fields = { width: 'number', height: 'number', scale: 'number' };
const TYPES = { text: 'string', number: 'number', flag: 'boolean' };

/** The inputs of an address; null where they are none. What is not known is dropped. */
export function inputsOf(text: string | undefined): Inputs | null {
  try {
    const { click, open, otherClicks, addressVisitors } = JSON.parse(text ?? '');
    const others = Array.isArray(otherClicks) ? otherClicks.slice(0, MOST_OTHERS) : [];
    return {
      click: clickOf(click),
      open: openOf(open),
      ...(others.length > 0 ? { otherClicks: others.map(clickOf) } : {}),
      ...(typeof addressVisitors === 'number' ? { addressVisitors } : {}),
    };
  } catch {
    return null;
  }
}

/** What was all empty is not in the address. */
function clickOf(given: object | null | undefined): ClickInput {
  return { userAgent: '', ...known(given, CLICK), ...screenOf(given) };
}

function openOf(given: { platform?: string; screen?: object } | null | undefined): OpenInput {
  const platform = PLATFORMS.find((one) => one === given?.platform) ?? 'ios';
  return { ...known(given, OPEN), ...screenOf(given), platform };
}

function screenOf(given: { screen?: object } | null | undefined): { screen?: Screen } {
  return given?.screen ? { screen: known(given.screen, SCREEN) } : {};
}

function known(given: object | null | undefined, fields: Fields): Record<string, unknown> {
  const found = Object.entries(given ?? {}).filter(([name, value]) => typeof value === typeOf(fields, name));
  return Object.fromEntries(found);
}

function typeOf(fields: Fields, name: string): string | null {
  const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return kind ? TYPES[kind] : null;
}
