/**
 * Small programs that show one thing each. Run one from the root of the project by
 * {@code mvn -q compile exec:exec -Dexample=HelloEvents}.
 */
package io.millrace.examples;
