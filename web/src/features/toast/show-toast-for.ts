import { toastSeconds } from '@portal/domain/constants.ts';
import { showToast, type Toast } from '../../ui/toast-store.ts';

export function showToastFor(length: keyof typeof toastSeconds, toast: Omit<Toast, 'seconds'>): void {
  showToast({ ...toast, seconds: length === 'long' ? toastSeconds.long : toastSeconds.short });
}
