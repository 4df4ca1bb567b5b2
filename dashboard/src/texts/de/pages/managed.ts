export const texts = {
  byCode: (stack: string) => `Durch Code verwaltet: ${stack}`,
  by: (name: string) => `Verwaltet von ${name}`,
  driftOfCode:
    'Eine Datei beschreibt es. Der nächste Plan zeigt eine Änderung von hier als Abweichung, und das nächste Anwenden überschreibt sie. Ändern Sie stattdessen die Datei.',
  drift: 'Ein anderes Programm hält es auf dem Stand und kann eine Änderung von hier überschreiben.',
};
