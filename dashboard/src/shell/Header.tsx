import { ActionIcon, Button, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isApple } from '../kernel/shortcuts.ts';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/useSignOut.ts';
import { t } from '../texts/index.ts';
import { colorSchemes } from '../ui/colorSchemes.ts';
import { IconKeyboard, IconMenu, IconPerson, IconPlus, IconSearch, IconSignOut } from '../ui/icons.ts';
import { MenuChoice } from '../ui/MenuChoice.tsx';
import { PERSON_PAGES } from '../ui/pages.ts';
import { Bell } from '../watch/public.ts';
import styles from './Header.module.css';
import { ProjectMenu } from './ProjectMenu.tsx';

interface HeaderProps {
  openMenu: () => void;
  openHelp: () => void;
  openPalette: () => void;
}

export function Header({ openMenu, openHelp, openPalette }: HeaderProps) {
  return (
    <header className={styles.header}>
      <ActionIcon
        className={styles.burger}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t.shell.openMenu}
        onClick={openMenu}
      >
        <IconMenu size={20} />
      </ActionIcon>
      <Link to="/" className={styles.brand}>
        svc
      </Link>
      <ProjectMenu />
      <div className={styles.space} />
      <button type="button" className={styles.palette} onClick={openPalette}>
        <IconSearch size={16} aria-hidden />
        <span>{t.shell.palette.open}</span>
        <kbd className={styles.kbd}>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <Button
        renderRoot={(props) => <Link to="/links/new" {...props} />}
        leftSection={<IconPlus size={16} />}
        className={styles.create}
      >
        {t.shell.createLink}
      </Button>
      <div className={styles.bell}>
        <Bell />
      </div>
      <PersonMenu openHelp={openHelp} />
    </header>
  );
}

function PersonMenu({ openHelp }: { openHelp: () => void }) {
  const { user } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return (
    <Menu width={240}>
      <Menu.Target>
        <Tooltip label={t.shell.person}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t.shell.person}>
            <IconPerson size={20} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.shell.signedInAs(user.email)}</Menu.Label>
        {PERSON_PAGES.map(({ to, icon: Icon, name }) => (
          <Menu.Item key={to} leftSection={<Icon size={16} />} component={Link} to={to}>
            {t.shell.pages[name]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t.shell.lightDark}</Menu.Label>
        {colorSchemes().map(([scheme, label]) => (
          <MenuChoice key={scheme} isChosen={colorScheme === scheme} onChoose={() => setColorScheme(scheme)}>
            {label}
          </MenuChoice>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={openHelp}>
          {t.shell.shortcuts}
        </Menu.Item>
        <Menu.Item leftSection={<IconSignOut size={16} />} onClick={() => signOut()}>
          {t.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
