/** What a mail says; `renderLetter` makes text and HTML of it, so that both say the same. Everything in it is plain text. */
export interface Letter {
  subject: string;
  /** What happened, then what to do. */
  paragraphs: string[];
  /** Names and values, as a list. */
  facts?: [name: string, value: string][];
  /** Where to go on. */
  action: { label: string; url: string };
  /** Why it comes to this person. */
  reason: string;
  /** Where they say that they want no more of them; of what is sent on request there is none. */
  preferencesUrl?: string;
}
