/** See build/worldPaths.ts. */
declare module 'virtual:world-paths-url' {
  const url: string;
  export default url;
}
