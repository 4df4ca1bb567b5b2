import { plural } from '../../plural.ts';

export const texts = {
  newTitle: 'New link',
  editTitle: (url: string) => `Edit ${url}`,
  create: 'Create link',
  save: 'Save changes',
  keys: 'Press Ctrl or ⌘ + Enter to save.',
  destination: 'Destination',
  destinationHint: 'The web page or app link that visitors are sent to.',
  moveUtm: 'Move UTM parameters to the campaign',
  duplicates: (count: number) =>
    plural(count, {
      one: 'You already have a link to this destination:',
      other: 'You already have links to this destination:',
    }),
  domain: 'Domain',
  slug: 'Slug',
  slugHint: 'The part after the domain. Leave it empty and we’ll generate a short one.',
  slugTaken: 'This slug is already taken on this domain.',
  movedWarning: 'If you change the domain or slug, printed QR codes and shared copies of the old link stop working.',
  preview: {
    title: 'Preview',
    open: 'Preview',
    anySlug: 'generated for you',
  },
  problems: (count: number) =>
    plural(count, { one: 'Fix 1 problem to save the link.', other: `Fix ${count} problems to save the link.` }),
  saved: 'Saved. Visitors get the new version within seconds.',
};
