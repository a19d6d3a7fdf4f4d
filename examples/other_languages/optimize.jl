# Julia: julia optimize.jl (needs the package JSON)
import JSON
while true
    ask = pipeline(ignorestatus(`bocs ask pumps.toml`), stderr = devnull)
    text = read(ask, String)
    isempty(text) && break                                               # no trial is left
    trial = JSON.parse(text)
    x = trial["point"]
    value = (x["crew"] - 5)^2 + length(x["pumps"]) + 3 * !("mill" in x["pumps"])
    run(`bocs tell pumps.toml --trial $(trial["number"]) --value $value`)
end
run(`bocs best pumps.toml`)
