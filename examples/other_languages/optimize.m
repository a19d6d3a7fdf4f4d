% Octave and MATLAB: octave-cli optimize.m
while true
  [code, text] = system('bocs ask pumps.toml');   % a trial as JSON; another exit code: none is left
  if code ~= 0, break, end
  trial = jsondecode(text);
  x = trial.point;
  value = (x.crew - 5)^2 + numel(x.pumps) + 3 * ~any(strcmp(x.pumps, 'mill'));
  system(sprintf('bocs tell pumps.toml --trial %d --value %.17g', trial.number, value));
end
system('bocs best pumps.toml');
