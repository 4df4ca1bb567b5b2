import { useDebouncedValue } from '@mantine/hooks';
import { graphql, type ResultOf } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { useProjectId } from '../../session/session.ts';

const PAGE_METADATA = graphql(`
  query PageMetadata($projectId: ID!, $url: String!) {
    pageMetadata(projectId: $projectId, url: $url) {
      title
      description
      siteName
      imageUrl
      image {
        mediaType
        base64
      }
      problem
    }
  }
`);

export type PageMetadata = ResultOf<typeof PAGE_METADATA>['pageMetadata'];

/** Longer than that of the checks: the server asks another host, and the quota of the team is small. */
const DEBOUNCE_MS = 800;
const FRESH_MS = 600_000;

/** What the page at a URL says about itself; null until it is known, and where there is nothing to ask. */
export function usePageMetadata(url: string): PageMetadata | null {
  const projectId = useProjectId();
  const wanted = isWebAddress(url) ? url.trim() : '';
  const [settled] = useDebouncedValue(wanted, DEBOUNCE_MS);
  const { data } = useAsk({
    about: 'pages',
    document: PAGE_METADATA,
    variables: { projectId, url: settled },
    isEnabled: settled !== '' && settled === wanted,
    keepsEarlier: false,
    freshMs: FRESH_MS,
  });
  return settled === wanted ? (data?.pageMetadata ?? null) : null;
}

/** The picture as an address that the page may show: the policy of the dashboard forbids those of other sites. */
export function pictureOf(page: PageMetadata | null): string | null {
  return page?.image ? `data:${page.image.mediaType};base64,${page.image.base64}` : null;
}

/** Not while the host is still being written, which would ask for hosts that nobody meant. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(text.trim());
  return url !== null && /^https?:$/.test(url.protocol) && /[.:]\w|^localhost$/.test(url.hostname);
}
