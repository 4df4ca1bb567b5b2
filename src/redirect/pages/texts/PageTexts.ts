/** The texts of all pages in one language, as plain text that pages escape. */
export interface PageTexts {
  notFound: Notice;
  flagged: Notice;
  expired: Notice;
  unavailable: Notice;
  password: Notice & {
    label: string;
    submit: string;
    wrong: string;
  };
  throttled: {
    title: string;
    /** `minutes` is at least 1. */
    text: (minutes: number) => string;
  };
  preview: {
    title: string;
    shortUrl: string;
    /** Above a single destination. */
    leadsTo: string;
    /** Above several destinations, of which each visitor gets one. */
    leadsToOneOf: string;
    mayVary: string;
  };
  protectedPreview: Notice;
  /** The page that leads to an app. */
  openApp: {
    title: string;
    open: string;
    getFromAppStore: string;
    getFromGooglePlay: string;
    continueInBrowser: string;
    /** For a browser inside an app, where links to apps do nothing. */
    inAppHint: string;
  };
  /** The first page of an installation. */
  home: {
    title: string;
    text: string;
    features: { links: string; attribution: string; api: string; webhooks: string };
    signIn: string;
    signUp: string;
    /** Where the dashboard is not built. */
    noDashboard: string;
    reference: string;
  };
}

interface Notice {
  title: string;
  text: string;
}
