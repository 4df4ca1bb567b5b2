import type { PageTexts } from './PageTexts.ts';

export const en: PageTexts = {
  notFound: {
    title: 'Link not found',
    text: 'There is no link at this address. Check that the address is complete and spelled as you received it.',
  },
  flagged: {
    title: 'This link is blocked',
    text: 'It was found to lead to a site that may harm you or steal your data. For your safety it does not lead on.',
  },
  expired: {
    title: 'This link has expired',
    text: 'It is no longer in use. Ask whoever sent it to you for a new one.',
  },
  unavailable: {
    title: 'One moment, please',
    text: 'This link cannot be opened right now. Please try again in a few seconds.',
  },
  password: {
    title: 'Password required',
    text: 'This link is protected. Enter its password to continue.',
    label: 'Password',
    submit: 'Continue',
    wrong: 'That password is wrong. Please try again.',
  },
  throttled: {
    title: 'Too many attempts',
    text: (minutes) =>
      `The wrong password was entered too often. Please try again in ${minutes === 1 ? 'one minute' : `${minutes} minutes`}.`,
  },
  preview: {
    title: 'Where this link leads',
    shortUrl: 'Short link',
    leadsTo: 'Leads to',
    leadsToOneOf: 'Leads to one of these addresses',
    mayVary: 'It may lead elsewhere depending on your device, language, location or the time.',
  },
  protectedPreview: {
    title: 'This link is protected',
    text: 'Where it leads is shown only to those who know its password.',
  },
  openApp: {
    title: 'Open in the app',
    open: 'Open in the app',
    getFromAppStore: 'Get the app from the App Store',
    getFromGooglePlay: 'Get the app from Google Play',
    continueInBrowser: 'Continue in the browser',
    inAppHint: 'Links to apps do not open inside this app. Open its menu and choose to open this page in the browser.',
  },
  home: {
    title: 'Short links and deep links',
    text: 'This server manages links for the people who run it. It is self-hosted: links, clicks and figures stay here.',
    features: {
      links: 'Short links and deep links that lead each visitor to the right page or into the app',
      attribution: 'Attribution: which link led to an install or a purchase',
      api: 'A REST API for everything, with a description for machines',
      webhooks: 'Signed webhooks for what happens to links and in apps',
    },
    signIn: 'Sign in',
    signUp: 'Create an account',
    noDashboard: 'People sign in at the dashboard, which is not installed on this server.',
    reference: 'Description of the REST API',
  },
};
