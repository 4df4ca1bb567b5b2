/**
 * Passwords of eight characters and more that lead every published list of leaked ones, in lower case. It is short on
 * purpose: what stops guessing is the count of attempts; this keeps off the guesses that come first.
 */
const WORDS = `
12345678 123456789 1234567890 12345678910 0123456789 0987654321 987654321 87654321 11111111 111111111 00000000 88888888
66666666 99999999 12341234 11223344 1122334455 123123123 123321123 147258369 123454321 987654321a 1q2w3e4r 1q2w3e4r5t
1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5 qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwertz123
asdfghjk asdfghjkl asdf1234 asdfasdf zxcvbnm1 zxcvbnm123 abcdefgh abcd1234 abc12345 abc123456 a1b2c3d4 aa123456 aa12345678
a1234567 a12345678 a123456789 123456789a 12345678a 1234qwer password password1 password12 password123 password1234
password! password1! passw0rd p@ssw0rd p@ssword p@ssword1 pass1234 pass12345 passwort passwort1 iloveyou iloveyou1 iloveyou2
sunshine princess football baseball superman batman123 trustno1 starwars whatever computer internet michelle jennifer
charlie1 michael1 jordan23 liverpool chocolate butterfly changeme changeme1 changeme123 letmein1 letmein123 welcome1
welcome12 welcome123 welcome1! admin123 admin1234 admin12345 administrator root1234 test1234 test12345 testtest secret123
default1 samsung1 dragon123 monkey123 master123 hello123 google123 facebook linkedin corvette mercedes maverick
computer1 asdqwe123 qazwsxedc qweasdzxc zaq12wsx zaq1zaq1 1234abcd 5201314520 woaini1314 freedom1 whatever1 football1
baseball1 superman1 sunshine1 princess1 summer2024 summer2025 winter2024 winter2025
`;

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter(Boolean));
