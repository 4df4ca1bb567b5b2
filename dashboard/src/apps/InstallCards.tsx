import { Menu } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type AnalyticsSearch, barsOf } from '../analytics/public.ts';
import { type FragmentOf, graphql } from '../kernel/graphql.ts';
import { t } from '../texts/index.ts';
import { BarList } from '../ui/charts/BarList.tsx';
import { IconLink } from '../ui/icons.ts';
import { Card } from '../ui/Page.tsx';
import styles from './apps.module.css';

export const INSTALL_CARDS = graphql(`
  fragment InstallCards on Analytics @_unmask {
    groupBy
    total {
      count
    }
    others {
      count
    }
    data {
      key
      label
      count
    }
  }
`);

interface InstallCardsProps {
  answers: readonly FragmentOf<typeof INSTALL_CARDS>[];
  search: AnalyticsSearch;
}

/** What the installs consist of. Each row leads to analytics of the same range, filtered by it. */
export function InstallCards({ answers, search }: InstallCardsProps) {
  const navigate = useNavigate();
  return (
    <div className={styles.cards}>
      {answers.map(({ groupBy, ...rows }) => {
        const dimension = groupBy as keyof typeof t.apps.cards;
        return (
          <Card key={groupBy} title={t.apps.cards[dimension]}>
            {rows.data.length === 0 ? (
              <span className={styles.soft}>{t.apps.noInstalls}</span>
            ) : (
              <BarList
                bars={barsOf(dimension, rows)}
                total={rows.total.count}
                onFilter={(key, isExcluding) =>
                  void navigate({
                    to: '/analytics',
                    search: { ...search, event: 'install', [dimension]: isExcluding ? `-${key}` : key },
                  })
                }
                menuItems={dimension === 'link' ? (link) => <LinkItem link={link} /> : undefined}
              />
            )}
          </Card>
        );
      })}
    </div>
  );
}

function LinkItem({ link }: { link: string }) {
  return (
    <Menu.Item
      leftSection={<IconLink size={16} />}
      renderRoot={(props) => <Link to="/links/$linkId" params={{ linkId: link }} {...props} />}
    >
      {t.analytics.row.openLink}
    </Menu.Item>
  );
}
