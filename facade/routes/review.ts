import type { Route } from '../Route.ts';
import { LINK } from '../selections.ts';

export const REVIEW_ROUTES: Route[] = [
  {
    id: 'reviewLink',
    method: 'POST',
    path: '/links/{id}/review',
    tag: 'Links',
    summary: 'Ask for a second look at a flag',
    description:
      'The URLs of a flagged link are scanned anew soon. If nothing is found, the flag is cleared, which `link.updated` ' +
      'tells; otherwise it stays, with the present reason. A flag that the operator of this service has set waits for the ' +
      'operator. A link without a flag stays as it is. `{id}` is the id of the link, or `ext_` and your own id. Safe to ' +
      'repeat.',
    scope: 'links:write',
    document: `mutation ($id: ID!) { reviewLink(id: $id) { ${LINK} } }`,
    status: 200,
  },
];
