export const texts = {
  byCode: (stack: string) => `Géré par du code : ${stack}`,
  by: (name: string) => `Géré par ${name}`,
  driftOfCode:
    'Un fichier le décrit. Le prochain plan signale comme écart une modification faite ici, et la prochaine application l’écrase. Modifiez plutôt le fichier.',
  drift: 'Un autre programme le tient à jour et peut écraser une modification faite ici.',
};
