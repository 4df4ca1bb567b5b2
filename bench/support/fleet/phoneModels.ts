/** Shares are guesses from public statistics of 2025 and 2026; what matters is that few are very common. */

/** As `utsname` names it, points and pixels a point. */
export const IPHONES: [[model: string, width: number, height: number, scale: number], share: number][] = [
  [['iPhone12,1', 414, 896, 2], 6],
  [['iPhone13,2', 390, 844, 3], 9],
  [['iPhone14,5', 390, 844, 3], 12],
  [['iPhone14,7', 390, 844, 3], 9],
  [['iPhone14,6', 375, 667, 2], 4],
  [['iPhone15,2', 393, 852, 3], 6],
  [['iPhone15,4', 393, 852, 3], 11],
  [['iPhone16,1', 393, 852, 3], 8],
  [['iPhone16,2', 430, 932, 3], 6],
  [['iPhone17,1', 402, 874, 3], 7],
  [['iPhone17,2', 440, 956, 3], 5],
  [['iPhone17,3', 393, 852, 3], 10],
  [['iPhone18,3', 402, 874, 3], 7],
];

export const IPAD: [model: string, width: number, height: number, scale: number] = ['iPad13,18', 820, 1180, 2];

/** Version of the system, and what its User-Agent says: from iOS 26 on the system's part stands still. */
export const IOS_VERSIONS: [[version: string, stated: string, safari: string], share: number][] = [
  [['26.3', '18_7', '26.3'], 24],
  [['26.2', '18_7', '26.2'], 14],
  [['26.1', '18_6', '26.1'], 9],
  [['26.0.1', '18_6', '26.0'], 5],
  [['18.7.2', '18_7', '18.7'], 12],
  [['18.6.2', '18_6', '18.6'], 14],
  [['18.5', '18_5', '18.5'], 6],
  [['18.3.2', '18_3_2', '18.3'], 4],
  [['17.7.2', '17_7_2', '17.7'], 5],
  [['16.7.12', '16_7_12', '16.6'], 4],
  [['15.8.5', '15_8_5', '15.6'], 3],
];

/** Maker, model as `Build.MODEL` and browsers inside apps name it, and dp. */
export const ANDROIDS: [[maker: string, model: string, width: number, height: number, scale: number], share: number][] =
  [
    [['samsung', 'SM-S921B', 360, 780, 3], 9],
    [['samsung', 'SM-S928B', 384, 824, 3.75], 6],
    [['samsung', 'SM-S931B', 360, 780, 3], 7],
    [['samsung', 'SM-S911B', 360, 780, 3], 7],
    [['samsung', 'SM-A546B', 384, 832, 2.8125], 10],
    [['samsung', 'SM-A556B', 384, 832, 2.8125], 9],
    [['samsung', 'SM-A156B', 384, 832, 2.8125], 7],
    [['samsung', 'SM-G991B', 360, 800, 3], 5],
    [['Google', 'Pixel 7a', 412, 915, 2.625], 5],
    [['Google', 'Pixel 8', 412, 915, 2.625], 6],
    [['Google', 'Pixel 9', 412, 923, 2.625], 6],
    [['Xiaomi', '23090RA98G', 393, 873, 2.75], 7],
    [['Xiaomi', '2201117TY', 393, 873, 2.75], 6],
    [['motorola', 'moto g84 5G', 411, 914, 2.625], 4],
    [['OnePlus', 'CPH2581', 412, 915, 3.5], 3],
    [['HONOR', 'REA-NX9', 360, 795, 3], 3],
  ];

export const ANDROID_VERSIONS: [version: string, share: number][] = [
  ['16', 24],
  ['15', 31],
  ['14', 20],
  ['13', 13],
  ['12', 7],
  ['11', 5],
];
