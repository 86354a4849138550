import { isPlainText, isPlainWord } from './plain-words.ts';
import { isSecretFieldName } from './secret-detection.ts';

/** A kind of field that is safe to show if the value looks like what the name suggests. */
interface HarmlessKind {
  readonly names: RegExp;
  readonly isHarmless: (value: string | number, sent: readonly string[]) => boolean;
}

const timePattern =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?$/;
/** Times from 2001 to 2100, in s or ms. */
const epochRanges = [
  [1e9, 4.1e9],
  [1e12, 4.1e12],
] as const;

function isTime(value: string | number): boolean {
  if (typeof value === 'string' && timePattern.test(value)) return true;
  const number = /^\d{10}(?:\d{3})?$/.test(String(value)) ? Number(value) : Number.NaN;
  return epochRanges.some(([from, to]) => number >= from && number <= to);
}

const taskIdPattern =
  /^(?:(?:task|job|action|op|operation|event|req|request|proc)?[-_#:]?\d{1,12}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Matches an operating system with its version: `debian-13`, `Ubuntu 24.04 LTS (64 bit)`. */
const osPattern =
  /^(?:debian|ubuntu|centos|alma|rocky|fedora|arch|opensuse|suse|sles|rhel|oracle|freebsd|openbsd|netbsd|alpine|gentoo|windows|cloudlinux|nixos|kali|devuan)(?:[-_ ]?(?:gnu|linux|server|stream|leap|enterprise|standard|core|lts|os|amd64|arm64|x86|64|32|bit|r2)|[-_ ]?\d{1,4}(?:\.\d{1,2}){0,2})*$/i;

const emailPattern = /^[\w.+*-]{1,64}@[\w*-]{1,63}(?:\.[\w*-]{1,63}){0,4}\.[a-z]{2,24}$/i;

const sizePattern = /^\d{1,15}(?:[.,]\d{1,6})?(?: ?(?:%|[kmgtp]?i?b(?:ytes)?|[kmgt]bit))?$/i;

const kinds: readonly HarmlessKind[] = [
  {
    names: /^(?:vps|vpsname|server|servername|vm|vmname|name|os|osid|osname|system|delivery|action)$/,
    isHarmless: (value, sent) => sent.some((one) => one.toLowerCase() === String(value).toLowerCase()),
  },
  {
    names: /^(?:os|osid|osname|currentos|newos|system|operatingsystem|image|template|distribution|distro)$/,
    isHarmless: (value) => typeof value === 'string' && osPattern.test(value),
  },
  {
    names:
      /(?:status|state|result|outcome|message|msg|messages|detail|details|description|note|notes|notice|info|warning|warnings|delivery|deliverymethod|deliverymode|deliveredby|sentby|sentvia|action|operation|type|active|enabled|success)$/,
    isHarmless: (value, sent) => isPlainText(String(value), sent),
  },
  {
    names: /^(?:sentto|deliveredto|mailedto|emailedto|email|recipient|to)$/,
    isHarmless: (value) => typeof value === 'string' && emailPattern.test(value),
  },
  {
    names:
      /(?:at|on|am|time|date|timestamp|since|until|till|expires|expiry|expiration|created|updated|changed|started|finished|completed|queued)$/,
    isHarmless: isTime,
  },
  {
    names:
      /^(?:id|\w*(?:task|job|action|operation|request|event|process|workflow|vps)(?:id|uuid|number|no)?)$/,
    isHarmless: (value) => taskIdPattern.test(String(value)),
  },
  {
    names: /(?:quota|used|usage|size|limit|total|free|capacity|bytes|gb|mb|gib|mib|percent|progress)$/,
    isHarmless: (value) => sizePattern.test(String(value)),
  },
];

/** Names of fields that wrap values: `status: { value: 'queued' }`, `{ "$": "queued" }`. */
const valueNames = /^(?:value|val|text|name|label|\$|#text|_text|\$t)$/;
const idNames = /^(?:id|uuid|number)$/;

/**
 * Returns whether a value in the result of a change that generates secrets is known to be harmless: a flag, a
 * time, a task ID, a size, words about what happened, or a value from the request. The value must look like
 * what its name suggests, and every name in the path must be a common one.
 */
export function isHarmlessField(
  path: readonly string[],
  value: string | number | boolean,
  sent: readonly string[],
): boolean {
  if (!path.every(isUsualName)) return false;
  if (typeof value === 'boolean') return true;
  if (path.some(isSecretFieldName)) return false;
  const fields = path.filter((segment) => !isIndex(segment)).map(normalize);
  const last = fields.at(-1) ?? '';
  const outer = fields.at(-2) ?? '';
  const names = [last];
  if (valueNames.test(last)) names.push(outer);
  if (idNames.test(last)) names.push(outer + last);
  return kinds.some((kind) => names.some((name) => kind.names.test(name) && kind.isHarmless(value, sent)));
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}$#]/gu, '');
}

function isIndex(segment: string): boolean {
  return /^\d{1,4}$/.test(segment);
}

/** Words that are common in field names, in addition to those that `isPlainWord` accepts. */
const nameWords = new Set(
  `additional address addresses affected allocated append attachment attributes auth authentication base 
  bandwidth body build capacity cloud code codes color command commands comment config
  configuration connect connection console content cores country cpu datacenter db deliver delivered deliverymethod description
  details device distribution distro dns docs domain duration encoded entries entry epoch eta event example expiration
  expires expiry extra fields filesystem fingerprint flag flags folder gateway gb gib group guest hash header hint hostname html
  http https info instructions interface invoice ipmi ips ipv4 ipv6 item items json key keys kvm lang language lease
  level line lines links live local location locale login logins mail manager mask mb memory meta metadata method mib mount msg
  names network notes note notice notification novnc object objects order organization os output overall pair parent
  part parts path percent pin plain platform pool port ports prefix private product profile project properties protocol
  provider public qr readonly recipient record ref reference region relationships remaining remote report rescue root
  rule script seed segment self sentto serial serverdata session sftp short size space sso ssh ssl
  standard string summary sys tag tags target tasks text ticket timestamp title tls token tokens total transfer
  unique url urls uri usage userdata users utc uuid val vlan vm vnc volume vpn volumes web webdav windows words workflow zone `.split(
    /\s+/,
  ),
);

/** Known names that contain digits. */
const numberedNames = /^(?:ipv[46]|md5|sha\d{1,3}|base64|x86|oauth2|s3|r2)$/;

/**
 * Returns whether this is a common field name. An unusual one could itself be a secret, such as a password
 * used as a map key.
 */
export function isUsualName(name: string): boolean {
  if (isIndex(name) || /^vps-[a-z\d]{5}$/i.test(name) || /^[$#_]+(?:text|t)?$/.test(name)) return true;
  if (/^[^\d]{1,30}$/.test(name) && isSecretFieldName(name)) return true;
  const words = name
    .normalize('NFKC')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => {
    if (numberedNames.test(word) || /^\d{1,2}$/.test(word)) return true;
    const letters = word.replace(/(?<=\p{L})\d$/u, '');
    if (/\d/.test(letters) || letters.length > 30) return false;
    const singular = letters.replace(/s$/, '');
    return [letters, singular].some(
      (name) => nameWords.has(name) || isPlainWord(name) || isSecretFieldName(name),
    );
  });
}
