import type { FrameTexts } from '../Texts.ts';

export const states: FrameTexts['states'] = {
  link: {
    active: '有効',
    scheduled: '予約済み',
    expired: '期限切れ',
    archived: 'アーカイブ済み',
    flagged: 'ブロック中',
  },
  delivery: {
    pending: '待機中',
    succeeded: '配信済み',
    failed: '失敗',
    cancelled: 'キャンセル済み',
  },
  webhook: {
    on: '有効',
    held: '保留中',
    off: '無効',
  },
  import: {
    pending: '待機中',
    running: '実行中',
    finished: '完了',
    failed: '失敗',
    cancelled: '中止',
  },
  health: {
    passing: '正常',
    failing: '異常',
    unknown: '未確認',
  },
  check: {
    pass: '正常',
    warn: '警告',
    fail: '異常',
    skip: '未チェック',
  },
  domain: {
    pending: 'レコード待ち',
    verified: '確認済み',
    failing: '異常',
  },
  severity: {
    critical: '重大',
    warning: '警告',
    info: '情報',
  },
  alert: {
    open: '未対応',
    acknowledged: '確認済み',
    resolved: '解決済み',
  },
  match: {
    certain: '確実',
    likely: '推定',
    none: 'なし',
  },
  platforms: { ios: 'iOS', android: 'Android', windows: 'Windows', macos: 'macOS', linux: 'Linux', other: 'その他' },
  devices: { mobile: 'スマートフォン', tablet: 'タブレット', desktop: 'パソコン' },
  roles: {
    owner: 'オーナー',
    admin: '管理者',
    member: 'メンバー',
    viewer: '閲覧者',
  },
};
