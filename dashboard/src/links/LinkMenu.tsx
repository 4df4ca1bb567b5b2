import { Menu } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { copyText } from '../kernel/copyText.ts';
import { useCan } from '../session/permissions.ts';
import { t } from '../texts/index.ts';
import {
  IconAnalytics,
  IconArchive,
  IconCopy,
  IconEdit,
  IconLink,
  IconOpen,
  IconPlus,
  IconQr,
  IconTrash,
} from '../ui/icons.ts';
import { toast } from '../ui/toasts.ts';
import { useArchive } from './useArchive.ts';

interface MenuLink {
  id: string;
  shortUrl: string;
  status: string;
}

interface LinkMenuProps<Link extends MenuLink> {
  /** The link and the button that the menu belongs to; null: closed. */
  opened: { link: Link; anchor: HTMLElement } | null;
  onClose: () => void;
  onQr: (link: Link) => void;
  onDelete: (link: Link) => void;
}

/** What can be done with a link: one menu for a whole list. */
export function LinkMenu<Link extends MenuLink>({ opened, onClose, onQr, onDelete }: LinkMenuProps<Link>) {
  const router = useRouter();
  const archive = useArchive();
  const { isAllowed } = useCan('links:write');
  if (!opened) return null;
  const { link, anchor } = opened;
  const { left, top, width, height } = anchor.getBoundingClientRect();
  const isArchived = link.status === 'archived';
  const { menu } = t.links;
  const close = () => {
    onClose();
    anchor.focus({ preventScroll: true });
  };
  return (
    <Menu opened onClose={close} position="bottom-end" width={220} returnFocus={false} trapFocus>
      <Menu.Target>
        <div style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t.links.row.menu(link.shortUrl)}>
        <Menu.Item
          leftSection={<IconLink size={16} />}
          onClick={() => void router.navigate({ to: '/links/$linkId', params: { linkId: link.id } })}
        >
          {menu.open}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={link.shortUrl}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconOpen size={16} />}
        >
          {menu.follow}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copyShortUrl(link)}>
          {menu.copy}
        </Menu.Item>
        <Menu.Item leftSection={<IconQr size={16} />} onClick={() => onQr(link)}>
          {menu.qr}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconAnalytics size={16} />}
          onClick={() => void router.navigate({ to: '/analytics', search: { link: link.id } })}
        >
          {menu.analytics}
        </Menu.Item>
        {isAllowed ? (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconEdit size={16} />}
              onClick={() => void router.navigate({ to: '/links/$linkId/edit', params: { linkId: link.id } })}
            >
              {menu.edit}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconPlus size={16} />}
              onClick={() => void router.navigate({ to: '/links/new', search: { from: link.id } })}
            >
              {menu.duplicate}
            </Menu.Item>
            <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => archive(link, !isArchived)}>
              {isArchived ? menu.unarchive : menu.archive}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onDelete(link)}>
              {menu.delete}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Copies the short URL and says so; where the browser does not allow it, shows it to be copied by hand. */
export async function copyShortUrl({ shortUrl }: Pick<MenuLink, 'shortUrl'>): Promise<void> {
  toast((await copyText(shortUrl)) ? t.links.copied(shortUrl) : t.common.copyByHand(shortUrl));
}
