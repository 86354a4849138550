// Words that services use to say what happened. Text with no other words contains no generated secret.

const statusWords = `
  accepted active activated aborted available booting building busy cancelled canceled changed complete completed
  confirmed created deactivated deleted delivered disabled done down enabled error expired failed failure finished
  generated halted idle inactive initializing installed installing issued locked mailed maintenance off offline ok okay on
  online paused pending performed planned powered preparing processed processing progress provisioned provisioning queued
  ready rebooted rebooting rebuilding received refused regenerated registered reinstalled reinstalling rejected reset
  resetting resized restarted restarting restored restoring resumed running saved scheduled sending sent set shutdown
  started starting stopped stopping submitted succeeded success successful successfully suspended terminated triggered
  unavailable unchanged unknown up updated updating verified waiting warning working`;

const commonWords = `
  a about access account action address after again all allowed already an and another any api are as at automatically
  backup be because been before being but by call can cannot center check choose client conflict contact control
  could credentials current customer data delivery denied did disk do does doesn don download during each either email
  e mail enough every exceeded exist exists expect expected few file first following for forbidden format found free from
  ftp full get given go has have here host hosting hours id if image images in incorrect inside installation instance
  internal into invalid is isn it its job key last later least less limit link list long login longer machine many
  maximum may message minimum minute minutes missing mode moment more must my name need needed needs new next no node not
  nothing now number of often one only operating operation option or other our out over own owner panel parameter
  password passwords permission permitted plan please possible power process quota rate reached reason reboot refresh
  reinstall request requested requests required resource response rest result retry root same second seconds see sent
  server servers service shortly should shut since sms snapshot soon space state status still stop storage such support
  supported system task template than that the their then there these they this through time times to too try two type
  under unit unsupported until use used user username using valid value values via virtual vps was wasn way we were
  when where which while who will with within won wrong you your`;

const words = new Set(`${statusWords} ${commonWords}`.split(/\s+/).filter((word) => word !== ''));

/** Maximum number of digits. More could be a PIN. */
const maxDigits = 4;
/** Maximum length. Longer texts say more than what happened, and splitting them could take long. */
const maxPlainChars = 2_000;

/**
 * Returns whether text consists only of words that services use to say what happened, a few digits, and
 * values in `sent`. Such text can't contain a generated secret.
 */
export function isPlainText(text: string, sent: readonly string[] = []): boolean {
  if (text.length > maxPlainChars) return false;
  const own = new Set(sent.map((value) => value.toLowerCase()));
  const others = text
    .toLowerCase()
    .split(/[\s,;!?()"'“”‘’]+/)
    .map((token) => token.replace(/[.:]+$/, ''))
    .filter((token) => !own.has(token));
  const digits = others.join('').replace(/\D/g, '');
  return digits.length <= maxDigits && others.flatMap((token) => token.split(/[-_/.]/)).every(isPlainWord);
}

/** Returns whether a lower-case word is one that services use to say what happened, or a number. */
export function isPlainWord(word: string): boolean {
  return word === '' || words.has(word) || /^\d+$/.test(word);
}
