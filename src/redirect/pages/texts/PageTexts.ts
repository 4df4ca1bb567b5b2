/** What pages say, in one language. Plain text: pages escape it. */
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
    /** Stands before one destination. */
    leadsTo: string;
    /** Stands before several, of which each visitor gets one. */
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
    /** In a browser inside an app, where links to apps do nothing. */
    inAppHint: string;
  };
}

interface Notice {
  title: string;
  text: string;
}
