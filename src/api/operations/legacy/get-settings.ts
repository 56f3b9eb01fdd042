import type { AccountSettings } from '../../../domain/account-settings.ts';
import type { Reader } from '../../reader.ts';
import { decodeAccountSettings } from '../../wire/legacy/account-settings.ts';

const operation = 'get_settings';

/** The account's settings (API 2.x, section 4.8). Rejects with an `ApiError`. */
export async function getSettings(reader: Reader, signal: AbortSignal): Promise<AccountSettings> {
  return decodeAccountSettings(
    await reader.get({ operation, path: 'settings', signal }),
    operation,
  );
}
