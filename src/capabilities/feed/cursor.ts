import { isUuid } from '../../infrastructure/text/uuid.js';
import { sequenceText } from './change-json.js';
import type { Cursor } from './changes.types.js';

const FORM = /^(.{36})-(\d{19})$/;

/** @returns undefined when the text is not a cursor */
export function parseCursor(text: string): Cursor | undefined {
  const [, epoch = '', digits = ''] = FORM.exec(text) ?? [];
  const sequence = Number(digits);
  return isUuid(epoch) && Number.isSafeInteger(sequence)
    ? { epoch: epoch.toLowerCase(), sequence }
    : undefined;
}

export function formatCursor({ epoch, sequence }: Cursor): string {
  return `${epoch}-${sequenceText(sequence)}`;
}
