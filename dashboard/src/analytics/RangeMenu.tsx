import { Button, Menu } from '@mantine/core';
import { t } from '../texts/index.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { MenuChoice } from '../ui/MenuChoice.tsx';
import { type AnalyticsSearch, INTERVALS, intervalRange, rangeName, thisMonth, today } from './query.ts';

interface RangeMenuProps {
  search: AnalyticsSearch;
  /** What a range of one's own covers, as soon as the server has said it. */
  dates: string | null;
  onSearch: (changed: AnalyticsSearch) => void;
  onOwn: () => void;
}

/** The range of the figures. */
export function RangeMenu({ search, dates, onSearch, onOwn }: RangeMenuProps) {
  const name = rangeName(search);
  const { ranges } = t.analytics;
  const shown = name === 'own' ? (dates ?? ranges.own) : ranges[name];
  const item = (one: keyof typeof ranges, onClick: () => void) => (
    <MenuChoice key={one} isChosen={one === name && one !== 'own'} onChoose={onClick}>
      {ranges[one]}
    </MenuChoice>
  );
  return (
    <Menu position="bottom-start" width={200}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`${t.analytics.range}: ${shown}`}
        >
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {item('today', () => onSearch(today(search)))}
        {INTERVALS.map((interval) => item(interval, () => onSearch(intervalRange(interval))))}
        {item('month', () => onSearch(thisMonth(search)))}
        <Menu.Divider />
        {item('own', onOwn)}
      </Menu.Dropdown>
    </Menu>
  );
}
