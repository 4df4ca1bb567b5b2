import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['builder'] = {
  newTitle: 'リンクの新規作成',
  editTitle: (url) => `${url} を編集`,
  create: 'リンクを作成',
  save: '変更を保存',
  keys: 'Ctrl または ⌘ + Enter で保存できます。',
  destination: '遷移先 URL',
  destinationHint: '訪問者を案内する Web ページまたはアプリリンクです。',
  moveUtm: 'UTM をキャンペーン項目に移す',
  duplicates: () => 'この遷移先のリンクがすでにあります：',
  domain: 'ドメイン',
  slug: 'スラッグ',
  slugHint: 'ドメインに続く部分です。空欄の場合は、短いスラッグを自動生成します。',
  slugTaken: 'このスラッグは、このドメインですでに使われています。',
  movedWarning: 'ドメインやスラッグを変更すると、印刷済みの QR コードや共有済みの以前のリンクは使えなくなります。',
  preview: {
    title: 'プレビュー',
    open: 'プレビュー',
    anySlug: '自動生成',
  },
  problems: (count) => `リンクを保存するには、${count} 件の問題を修正してください。`,
  saved: '保存しました。数秒以内に訪問者に反映されます。',
};
