/** The upstream's word that something does not exist. It drops an old copy; any other failure keeps it. */
export class Absent extends Error {
  constructor() {
    super('The upstream says that this does not exist.');
    this.name = 'Absent';
  }
}
