// @ts-check
/**
 * Applies the colours that the reader chose on this device before the first paint, and lets the
 * reader change them.
 */
(() => {
  const key = 'uptime-exporter-theme';
  const root = document.documentElement;
  const systemDark = matchMedia('(prefers-color-scheme: dark)');

  /** Storage may be forbidden. @returns {string | null} */
  function chosen() {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  function apply() {
    const theme = chosen();
    if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  const isDark = () => (root.dataset.theme ?? (systemDark.matches ? 'dark' : 'light')) === 'dark';

  function label() {
    const button = document.getElementById('theme');
    if (button === null) return;
    button.hidden = false;
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Use ${isDark() ? 'light' : 'dark'} colours`);
  }

  function toggle() {
    const next = isDark() ? 'light' : 'dark';
    root.dataset.theme = next;
    try {
      localStorage.setItem(key, next);
    } catch {
      // Without storage, the choice applies only to this view.
    }
    label();
    document.dispatchEvent(new Event('themechange'));
  }

  apply();
  systemDark.addEventListener('change', () => {
    label();
    document.dispatchEvent(new Event('themechange'));
  });
  document.addEventListener('DOMContentLoaded', () => {
    label();
    document.getElementById('theme')?.addEventListener('click', toggle);
  });
})();
