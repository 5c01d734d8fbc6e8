package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AbsencesTest {
  private final Absences absences = new Absences();

  @Test
  void isBack_changedAndSeveralLevelsAfterIt_isOnce() {
    assertThat(absences.isBack("p0", "key", 1)).isFalse();
    absences.changed("key", 2);
    absences.changedOther();
    absences.changedOther();

    assertThat(absences.isBack("p1", "key", 3)).as("was never there").isFalse();
    assertThat(absences.isBack("p0", "other", 3)).as("of another entity").isFalse();
    assertThat(absences.isBack("p0", "key", 3)).isTrue();
    assertThat(absences.isBack("p0", "key", 4)).as("is there by now").isFalse();
  }

  @Test
  void isBack_levelsChangedBeforeTheEntity_isNot() {
    assertThat(absences.isBack("p0", "key", 1)).isFalse();
    absences.changed("key", 2);
    absences.changedOther();
    absences.changedOther();
    absences.changed("key", 3);

    assertThat(absences.isBack("p0", "key", 4)).isFalse();
  }
}
