/**
 * Tools for an agent's thread: an idle strategy, CPU pinning and the pause of an accept loop. They can be used without
 * a server.
 */
package io.millrace.server.agent;
