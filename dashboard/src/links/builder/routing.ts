import {
  type Entry,
  type FormOf,
  flagUnless,
  jsonPart,
  listPart,
  number,
  required,
  requiredText,
  text,
} from '../../kernel/recordForm.ts';
import { whenPart } from './conditions.ts';

const APP = { deepLinkPath: text, fallback: text };
const RULE = { name: text, when: whenPart, destination: required(requiredText) };
const SPLIT_ENTRY = { name: text, destination: required(requiredText), weight: required(number) };
export const rulePart = jsonPart(RULE);
export const splitPart = jsonPart(SPLIT_ENTRY);

/** Each box as the server does without it: the query is passed on, everything else is not. */
const ROUTING = {
  openApp: flagUnless(false),
  ios: jsonPart(APP),
  android: jsonPart(APP),
  rules: listPart(rulePart),
  split: listPart(splitPart),
  forwardQuery: flagUnless(true),
  forwardPath: flagUnless(false),
};

export type AppRouting = FormOf<typeof APP>;
export type Rule = Entry<FormOf<typeof RULE>>;
export type SplitEntry = Entry<FormOf<typeof SPLIT_ENTRY>>;
/** The routing of a link as the form holds it. */
export type Routing = FormOf<typeof ROUTING>;

export const routingPart = jsonPart(ROUTING);
