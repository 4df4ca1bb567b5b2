export const texts = {
  byCode: (stack: string) => `Gestionado por código: ${stack}`,
  by: (name: string) => `Gestionado por ${name}`,
  driftOfCode:
    'Un archivo lo describe. El próximo plan muestra como desviación un cambio hecho aquí, y la próxima aplicación lo sobrescribe. Cambia el archivo en su lugar.',
  drift: 'Otro programa lo mantiene al día y puede sobrescribir un cambio hecho aquí.',
};
