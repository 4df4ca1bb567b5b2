import { announce } from '../../db/announce.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { changesBetween } from '../../events/linkChanges.ts';
import { PRESENTERS } from '../../events/presenters.ts';
import { presentLink } from '../../events/presentLink.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { Link } from '../../models/Link.ts';
import { Project } from '../../models/Project.ts';
import { generateSlug } from '../../routing/generateSlug.ts';
import { holdDomains } from '../domains/usableDomains.ts';
import { tagsOfLinks } from './linkTags.ts';

interface Address {
  domain: string;
  slug: string;
}

/** Of 190 characters: room for what comes behind. */
const KEPT_CHARACTERS = 170;

/**
 * Makes way for links of the project at these addresses. On a project's own domain only its links are followed, so a link
 * of another project there was left behind when the domain was taken from it: it stays, at a slug that nobody wants. Else
 * whoever had a name by mistake or by malice could keep its best slugs from its owner.
 */
export async function freeSlugs(projectId: string, wanted: Address[], transaction: Transaction): Promise<void> {
  const onOwnDomains = wanted.filter(({ domain }) => domain !== config.linkDomain);
  if (onOwnDomains.length === 0) return;
  const domains = new Set(onOwnDomains.map(({ domain }) => domain));
  const held = await holdDomains(projectId, domains, transaction);
  for (const { domain, slug } of onOwnDomains) {
    if (!held.has(domain)) continue;
    const link = await Link.findOne({
      where: { domain, slug, projectId: { [Op.ne]: projectId } },
      lock: transaction.LOCK.UPDATE,
      transaction,
    });
    if (link) await moveAway(link, transaction);
  }
}

async function moveAway(link: Link, transaction: Transaction): Promise<void> {
  const { teamId } = await Project.findByPk(link.projectId, { transaction, rejectOnEmpty: true });
  const tags = (await tagsOfLinks([link.id], transaction)).get(link.id) ?? [];
  const names = tags.map(({ name }) => name);
  const atMs = clock.now();
  const before = presentLink(link, names, atMs);
  await link.update(
    { slug: `${link.slug.slice(0, KEPT_CHARACTERS)}~${generateSlug()}${generateSlug()}` },
    { transaction },
  );
  const shown = presentLink(link, names, atMs);
  await recordEvent(transaction, {
    type: 'link.updated',
    teamId,
    projectId: link.projectId,
    linkId: link.id,
    tagIds: tags.map(({ id }) => id),
    data: PRESENTERS['link.updated'](shown, changesBetween(before, shown)),
  });
  await announce(transaction, 'link', `${link.domain}/${before.slug}`, `${link.domain}/${link.slug}`);
}
