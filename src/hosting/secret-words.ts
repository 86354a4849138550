// The words that reveal a secret by its name. All are lower case. Names are matched without
// separators: `root_password` is `rootpassword`.

/** Words for a password or token in other languages, matched anywhere in a word. */
const foreignWords = [
  'passwort|kennwort|geheim|zugangsdaten|anmeldedaten|wachtwoord|lösenord|losenord|passord|adgangskode',
  'contraseña|contrasena|contrasenya|senha|palavrapasse|motdepasse|parola|parool|slaptažod|slaptazod',
  'heslo|hasło|haslo|geslo|lozinka|jelszó|jelszo|salasana|şifre|sifre|lykilorð',
  'парол|лозинк|гасло|συνθηματικ|סיסמ|المرور|كلمةالسر|رمزعبور|पासवर्ड|পাসওয়ার্ড|รหัสผ่าน|khẩu|matkhau|katasandi',
  '密码|密碼|口令|暗号|令牌|密钥|密鑰|パスワード|パスコード|暗証番号|トークン|비밀번호|암호|토큰',
].join('|');

/** Matches words that mark a name as secret: some anywhere in a word, some only at its end, some only as a whole. */
export const secretWordPattern = new RegExp(
  [
    `passw|passphrase|passcode|pswd|pwd|secret(?!ar|ion|ive)|token|credential|preshared|${foreignWords}`,
    '(?<!^by|com|tres|sur|over|under|im|^multi)pass(?:e|s)?$',
    '(?<!^sa|^ac)creds?$',
    'pws?$|^(?:t|h)?otps?$|^psk$|^psw$|^mdp$|^jwt$|^bearer$|^authorization$',
  ].join('|'),
  'u',
);

/** Matches words for a key, which name a secret alone or together with what the key opens. */
export const keyWordPattern =
  /(?<!^(?:mon|don|tur|hoc|joc|whis|mic|lac|hic|dic|smo|po|ho|turn|latch|low|hot|flun|malar|han|spun))keys?$|^(?:schlüssel|schluessel|clave|chave|clé|cle|chiave|sleutel|klucz|klíč|klic|ключ|キー|密钥|鍵)$|(?:api|zugangs|lizenz|privat\p{L}*)schl(?:ü|ue)ssel$/u;

export const publicKeyPattern =
  /pub(?:lic)?keys?|(?:öffentlich|oeffentlich|public|pública|publique)\p{L}*(?:schl|clave|clé)/u;

/** Matches names of keys that aren't secret, such as those of a table or map. */
export const plainKeyPattern =
  /(?:primary|foreign|sort|partition|cache|group|tag|label|translation|metric|lookup|map|field|parameter|option|setting|config|image|template|item|unique|natural|message|error|plan|region)keys?$/;

/** Matches two-word names of secrets. */
export const secretNamePattern =
  /(?:vnc|auth|login|session|api|console)ticket|palavra(?:de)?passe|رمزالعبور|κωδικόςπρόσβασης/u;

export const codeNamePattern =
  /(?:auth|verification|security|recovery|backup|activation|confirmation|access|unlock|transfer|epp|mfa|fa|otp|pin|scratch)codes?$|(?:vnc|support|security|access|phone)pin$/;

/** Matches the first word of names that are about a secret but don't contain one. */
export const harmlessFirstWordPattern =
  /^(?:has|have|is|are|needs|requires|allows|supports|forces|must|uses|max|min|num|number|total|count)$/;

/** Matches the last word of names that are about a secret but don't contain one. */
export const harmlessLastWordPattern =
  /^(?:ids?|uuid|name|type|at|on|am|bis|date|time|expires|expiry|expiration|expired|ttl|until|age|days|length|size|count|limit|policy|strength|status|state|enabled|disabled|required|set|changed|updated|created|delivery|delivered|mode|method|algorithm|fingerprint|remaining|used|scopes?|version)$/;
