export const texts = {
  byCode: (stack: string) => `コードで管理: ${stack}`,
  by: (name: string) => `管理者: ${name}`,
  driftOfCode:
    'ファイルに記述されています。ここでの変更は次回のプランで差分として表示され、次回の適用で上書きされます。代わりにファイルを変更してください。',
  drift: '別のプログラムが最新の状態に保っており、ここでの変更は上書きされることがあります。',
};
