// Optional behaviour of the times on the pages. Without this script they are in the time zone of the platform, and ages stay as
// they were when the page was made.

// The service shows times in the time zone of the browser from the next page on.
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
document.cookie = `data_import_time_zone=${timeZone}; path=/console; samesite=lax; max-age=34560000`;

// A page that does not update itself shows exact times once it is a minute old, because its ages are then wrong.
setTimeout(() => document.documentElement.classList.add('old'), 60_000);
